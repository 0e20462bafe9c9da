"""Pages for the browser: one file each, without network and without server."""

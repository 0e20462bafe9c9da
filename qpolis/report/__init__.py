"""What people read after a run: tables, plots, pages."""

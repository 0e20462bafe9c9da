"""Whether a mix of tiles is balanced: what is measured, how sure it is, what differs between mixes."""

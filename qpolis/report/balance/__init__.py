"""What people read about the balance of mixes."""

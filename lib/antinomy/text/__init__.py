"""What print does to letters and numbers, each in one place."""

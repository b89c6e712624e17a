"""What each side has on the duties of the other: counterparts, the stricter rule, gaps."""

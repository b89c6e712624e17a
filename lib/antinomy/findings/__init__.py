"""What a finding is: what is reported, how it ranks, what reviewers decided of it."""

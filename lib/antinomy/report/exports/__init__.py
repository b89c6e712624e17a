"""What a run found, in the formats that other tools read; ``docs/exports.md`` says which file is for whom."""

"""What pages have in common, and pages of a kind: texts to read, questions to answer."""

"""What several tables play the same deal for: today's tide."""

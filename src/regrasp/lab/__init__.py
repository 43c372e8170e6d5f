"""What the embedded models learn from and are examined on; nothing else imports it."""

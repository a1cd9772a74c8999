"""What hosts do: close accounts, invite, remove what somebody wrote, answer reports."""

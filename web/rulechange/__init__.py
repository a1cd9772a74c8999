"""The review of a rule change on a page, for whoever runs `lacitta review-rules --page`."""

"""What every page uses: language, forms, problems, documents, caches, workers, metrics."""

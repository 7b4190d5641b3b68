def read(path, Case, columns): return []
def run(*a): pass

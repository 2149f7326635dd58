// Stores something on this phone; returns whether there is room for it.

export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch (error) {
    if (error.name !== 'QuotaExceededError') throw error
    return false
  }
}

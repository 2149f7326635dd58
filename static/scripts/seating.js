// Reorders rows by dragging or with arrows; without this script, the arrows submit the form.
// A list with a button to save the order is saved after every move.

const rowsOf = (list) => [...list.querySelectorAll('[data-row]')]

function finishMove(list) {
  const rows = rowsOf(list)
  rows.forEach((row, at) => {
    row.querySelector('[data-move="-1"]').disabled = at === 0
    row.querySelector('[data-move="1"]').disabled = at === rows.length - 1
  })
  list.closest('form').querySelector('[data-save-order]')?.click()
}

function move(list, row, by) {
  const other = rowsOf(list)[rowsOf(list).indexOf(row) + by]
  if (!other) return
  if (by < 0) other.before(row)
  else other.after(row)
  finishMove(list)
}

function drag(list, row, start) {
  const held = new AbortController()
  start.preventDefault()
  start.currentTarget.setPointerCapture(start.pointerId)
  row.classList.add('dragged')
  const before = rowsOf(list).indexOf(row)
  const over = (event) => {
    const target = rowsOf(list).find((other) => {
      const box = other.getBoundingClientRect()
      return other !== row && event.clientY > box.top && event.clientY < box.bottom
    })
    if (!target) return
    if (rowsOf(list).indexOf(target) > rowsOf(list).indexOf(row)) target.after(row)
    else target.before(row)
  }
  const end = () => {
    row.classList.remove('dragged')
    held.abort()
    if (rowsOf(list).indexOf(row) !== before) finishMove(list)
  }
  // on the document, because the handle loses the pointer when its row moves
  for (const [type, listener] of [['pointermove', over], ['pointerup', end], ['pointercancel', end]]) {
    document.addEventListener(type, listener, { signal: held.signal })
  }
}

for (const list of document.querySelectorAll('[data-seating]')) {
  for (const row of rowsOf(list)) {
    row.querySelector('[data-handle]').addEventListener('pointerdown', (event) => drag(list, row, event))
    for (const arrow of row.querySelectorAll('[data-move]')) {
      arrow.addEventListener('click', (event) => {
        event.preventDefault()
        move(list, row, Number(arrow.dataset.move))
        ;(arrow.disabled ? row.querySelector('[data-move]:enabled') : arrow).focus()
      })
    }
  }
}

// Sends, with a day and a time typed on this phone, how many seconds its clock is ahead of UTC then.

const MINUTE = 60
const offset = document.querySelector('[data-offset]')
const [day, time] = ['day', 'time'].map((id) => document.getElementById(id))

function update() {
  const at = new Date(`${day.value}T${time.value}`)
  offset.value = Number.isNaN(at.getTime()) ? '' : -at.getTimezoneOffset() * MINUTE
}

if (offset) {
  for (const field of [day, time]) field.addEventListener('input', update)
  update()
}

// Keeps the table view up to date: each poll returns the whole page if anything changed.

import { connected } from './offline.js'
import { askState, keepAsking, leave } from './pace.js'
import { stayAwake } from './phone.js'

const news = document.getElementById('news')
let version = null

// Replaces this page's content with the new one; hands that were face down turn over together.
function show(fresh) {
  const { stage } = news.dataset
  news.className = fresh.className
  news.classList.toggle('turning', stage === 'down' && ['shown', 'result'].includes(fresh.dataset.stage))
  news.replaceChildren(...fresh.childNodes)
  for (const name of Object.keys(news.dataset)) delete news.dataset[name]
  Object.assign(news.dataset, fresh.dataset)
  document.dispatchEvent(new Event('news'))
}

async function poll() {
  const response = await askState(location.href, version).catch(() => null)
  connected(Boolean(response) && response.status < 500)
  if (response?.status === 403 || response?.status === 404) return leave(() => location.reload())
  if (!response?.ok) return
  const page = await response.text().catch(() => null)
  const fresh = page && new DOMParser().parseFromString(page, 'text/html').getElementById('news')
  if (!fresh) return
  version = response.headers.get('ETag')
  show(fresh)
  return { isClosed: 'closed' in news.dataset }
}

stayAwake()
keepAsking(poll)

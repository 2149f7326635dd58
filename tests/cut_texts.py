"""Finds words on a page that can't be read: cut off, out of the page, over others, covered, numbers broken.

Words that end with "…" are shortened, not cut; what a part of the page scrolls to isn't cut either, nor a word of which
nothing is shown.
"""

CUT_TEXTS = """() => {
  const EDGE = 1.5 // pixels, for rounding
  const HEIGHT = 0.3 // a line is higher than its letters: as much of it may be out of sight
  const found = []
  const style = (one) => getComputedStyle(one)
  const boxesOf = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1)
  }
  const ancestors = function* (one) {
    for (; one && one !== document.documentElement; one = one.parentElement) yield one
  }
  const layer = (parent) => ancestors(parent).find((one) => /fixed|sticky/.test(style(one).position))
  const isEmpty = ({ left, right, top, bottom }) => right <= left || bottom <= top
  const within = (box, edges) => ({
    left: Math.max(box.left, ...edges.map((edge) => edge.left)),
    right: Math.min(box.right, ...edges.map((edge) => edge.right)),
    top: Math.max(box.top, ...edges.map((edge) => edge.top)),
    bottom: Math.min(box.bottom, ...edges.map((edge) => edge.bottom)),
  })
  const edges = (parent) => [...ancestors(parent)]
    .filter((one) => one !== document.body && style(one).overflowX !== 'visible' && style(one).display !== 'inline')
    .map((one) => one.getBoundingClientRect())
  const isUnseen = (one) => {
    const { clipPath, overflow, animationName } = style(one), { width, height } = one.getBoundingClientRect()
    const isTiny = overflow !== 'visible' && Math.min(width, height) <= 1
    return isTiny || /50%|100%/.test(clipPath) || animationName === 'gone'
  }
  const tell = (how, word) => {
    const classes = word.parent.getAttribute('class')?.trim().replace(/\\s+/g, '.')
    const place = word.parent.localName + (classes ? `.${classes}` : '')
    found.push(`${how}: ${word.node.data.trim().slice(0, 40)} in ${place}`)
  }

  const howCut = ({ parent, boxes }) => {
    let across = true, up = true // whether it is out of sight beyond an edge
    for (const one of ancestors(parent)) {
      const { overflow, overflowX, overflowY, textOverflow, webkitLineClamp, lineHeight, display } = style(one)
      if (one === document.body) break
      if (display === 'inline') continue
      const edge = one.getBoundingClientRect()
      const isBeyond = (box) => box.top >= edge.bottom - EDGE || box.left >= edge.right - EDGE
      if (overflow !== 'visible' && boxes.every(isBeyond)) return 'hidden'
      across &&= !/auto|scroll/.test(overflowX) && textOverflow !== 'ellipsis'
      // its last line ends with "…", but not where the box is lower than these lines
      const isLower = one.clientHeight < webkitLineClamp * parseFloat(lineHeight) - EDGE
      const isShortened = webkitLineClamp !== 'none' && !isLower
      up &&= !/auto|scroll/.test(overflowY) && !isShortened
      const isWider = boxes.some((box) => box.right > edge.right + EDGE || box.left < edge.left - EDGE)
      if (across && /hidden|clip/.test(overflowX) && isWider) return 'cut'
      const isHigher = boxes.some(({ top, bottom, height }) =>
        bottom > edge.bottom + height * HEIGHT || top < edge.top - height * HEIGHT)
      if (up && /hidden|clip/.test(overflowY) && isHigher) return 'cut in height'
    }
    return across && boxes.some((box) => box.right > innerWidth + EDGE || box.left < -EDGE) ? 'beyond the edge' : ''
  }

  // counts such as 3/5, numbers but not those of an address, and words, but not those that are longer than some lines
  const WHOLE = new RegExp([
    /(?<![\\w./:-])\\d{1,2}\\/\\d{1,2}(?![\\w/:-])/,
    /(?<![\\w./:-])\\d[\\d.,]+(?![\\w/:-])/,
    /(?<![\\p{L}\\p{M}])[\\p{L}\\p{M}]{2,12}(?![\\p{L}\\p{M}])/,
  ].map((kind) => kind.source).join('|'), 'gu')
  const isBroken = (node, shown) => [...node.data.matchAll(WHOLE)].some(({ 0: number, index }) => {
    const range = document.createRange()
    range.setStart(node, index)
    range.setEnd(node, index + number.length)
    const boxes = [...range.getClientRects()].filter((box) => !isEmpty(within(box, shown)))
    return new Set(boxes.map((box) => Math.round(box.top))).size > 1
  })

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = []
  const isNone = 'script, style, noscript, option, .skip, .offscreen, svg[aria-hidden]'
  while (texts.nextNode()) {
    const node = texts.currentNode, parent = node.parentElement
    const isShown = parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!node.data.trim() || !isShown || parent.closest(isNone) || ancestors(parent).some(isUnseen)) continue
    const word = { node, parent, boxes: boxesOf(node) }
    const how = word.boxes.length ? howCut(word) : 'hidden'
    if (how && how !== 'hidden') tell(how, word)
    if (!how) {
      const shown = edges(parent)
      if (isBroken(node, shown)) tell('broken', word)
      word.boxes = word.boxes.map((box) => within(box, shown)).filter((box) => !isEmpty(box))
      words.push({ ...word, layer: layer(parent), picture: parent.closest('svg') })
    }
  }

  const isOver = (a, b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    return wide > 2 && high > 0.45 * Math.min(a.bottom - a.top, b.bottom - b.top)
  }
  words.forEach((one, at) => {
    for (const other of words.slice(at + 1)) {
      if (one.layer !== other.layer || one.picture !== other.picture) continue
      if (one.boxes.some((a) => other.boxes.some((b) => isOver(a, b)))) tell(`over "${other.node.data.trim()}"`, one)
    }
  })

  const isOpaque = (one) => style(one).backgroundColor !== 'rgba(0, 0, 0, 0)' || style(one).backgroundImage !== 'none'
  for (const word of words.filter((one) => !one.picture)) {
    word.parent.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    // a text that is taller than the room between the bars is read line by line
    const { height } = word.parent.getBoundingClientRect(), isTall = height > innerHeight / 2
    for (const line of boxesOf(word.node).keys()) {
      const { top, bottom } = boxesOf(word.node)[line]
      if (isTall) scrollBy({ top: (top + bottom - innerHeight) / 2, behavior: 'instant' })
      const box = within(boxesOf(word.node)[line], edges(word.parent))
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
      if (isEmpty(box) || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue
      const above = document.elementFromPoint(x, y)
      if (!above || word.parent.contains(above)) continue
      const cover = ancestors(above).find((one) => one.contains(word.node) || isOpaque(one))
      if (cover && !cover.contains(word.node)) {
        tell(`covered by ${cover.localName}`, word)
        break
      }
    }
  }
  scrollTo(0, 0)
  return found
}"""

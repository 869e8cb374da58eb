"use strict";
// A treemap: rectangles whose areas are weights and which come as near to squares as the numbers allow.

function squarified(weights, box) {
  const tiles = [];
  let { x, y, width, height } = box;
  let rest = weights.reduce((sum, weight) => sum + weight, 0);
  for (let first = 0; first < weights.length && rest > 0;) {
    const side = Math.min(width, height);
    const scale = width * height / rest;
    let last = first, sum = 0, worst = Infinity;
    while (last < weights.length) {
      const grown = sum + weights[last];
      const strip = grown * scale / side;
      const ratio = Math.max(...[weights[first], weights[last]].map((weight) => {
        const length = weight * scale / strip;
        return Math.max(strip / length, length / strip);
      }));
      if (ratio > worst) break;
      worst = ratio;
      sum = grown;
      last += 1;
    }
    const strip = sum * scale / side;
    let along = 0;
    for (; first < last; first += 1) {
      const length = weights[first] * scale / strip;
      tiles.push(width >= height ? { x, y: y + along, width: strip, height: length } : { x: x + along, y, width: length, height: strip });
      along += length;
    }
    if (width >= height) { x += strip; width -= strip; } else { y += strip; height -= strip; }
    rest -= sum;
  }
  return tiles;
}

// The same with a margin around it and a head above it, where there is room for them.
function within(box, margin, head) {
  return { x: box.x + margin, y: box.y + head, width: box.width - 2 * margin, height: box.height - head - margin };
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

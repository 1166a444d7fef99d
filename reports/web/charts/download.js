// A picture of the page as an SVG file that stands alone: its styles are in it, and its title and legend.
import { drawn } from '../dom/element.js';

const styles = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'font-size', 'font-weight',
  'text-anchor', 'paint-order', 'stroke-linejoin'];

// The copy says itself what the page's style sheets say of the original.
function inlined(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll('*')]);
  from.forEach((original, index) => {
    const made = to[index];
    if (original.tagName === 'style' || original.getAttribute('aria-label') === 'tip') return;
    const said = getComputedStyle(original);
    if (original !== svg) for (const name of styles) made.setAttribute(name, said.getPropertyValue(name));
    made.removeAttribute('class');
    made.removeAttribute('style');
  });
  copy.querySelectorAll('style, [aria-label="tip"]').forEach((one) => one.remove());
  copy.querySelectorAll('a').forEach((link) => link.replaceWith(...link.childNodes));
  return copy;
}

const textColour = () => getComputedStyle(document.body).color;

function heading(text, y, size, weight) {
  return drawn('text', { x: 12, y, 'font-size': size, 'font-weight': weight, fill: textColour() }, text);
}

/// The text of the file. `parts` are elements of the figure in their order: SVG is drawn, of others the text is written.
export function svgText(title, description, parts) {
  let [y, width] = [28, 320];
  const content = [heading(title, y, 15, 600)];
  y += 10;
  for (const part of parts) {
    if (part instanceof SVGElement) {
      const copy = inlined(part);
      const { width: wide, height } = part.getBoundingClientRect();
      for (const [name, value] of Object.entries({ x: 0, y, width: wide, height })) copy.setAttribute(name, value);
      content.push(copy);
      y += height + 8;
      width = Math.max(width, wide);
    } else if (part.matches('.legend')) {
      for (const entry of part.children) {
        y += 18;
        content.push(drawn('circle', { cx: 18, cy: y - 4, r: 5, fill: getComputedStyle(entry.firstChild).backgroundColor }),
          heading(entry.textContent, y, 12, 400));
        content.at(-1).setAttribute('x', 30);
      }
      y += 12;
    } else {
      y += 18;
      content.push(heading(part.textContent, y, 13, 400));
      y += 6;
    }
  }
  const whole = drawn('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${y + 8}`, width, height: y + 8,
    'font-family': 'system-ui, sans-serif' }, drawn('title', {}, title), drawn('desc', {}, description),
  drawn('rect', { width, height: y + 8, fill: getComputedStyle(document.querySelector('.panel') ?? document.body).backgroundColor }), content);
  return new XMLSerializer().serializeToString(whole);
}

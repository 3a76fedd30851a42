import { element } from './dom.js';
import { options } from './options.js';

/** A mark of waiting, as the shop wants it (`wpwlOptions.spinner`); screen readers have a text instead. */
export function spinner(): HTMLElement {
  const wanted = options().spinner;
  const { color, radius, length, width, scale, speed, className, zIndex } =
    typeof wanted === 'object' && wanted !== null ? wanted : {};
  const mark = element('div.wpwl-spinner', { 'aria-hidden': 'true' });
  if (typeof className === 'string') mark.classList.add(...className.split(/\s+/).filter(Boolean));
  const { style } = mark;
  // What is no value of CSS is not taken by the browser.
  if (typeof color === 'string') style.color = color;
  const size = 2 * (numberOf(radius) + numberOf(length)) * (numberOf(scale) || 1);
  if (size > 0) style.width = style.height = `${size}px`;
  if (numberOf(width) > 0) style.borderWidth = `${numberOf(width)}px`;
  if (numberOf(speed) > 0) style.animationDuration = `${1 / numberOf(speed)}s`;
  if (numberOf(zIndex) > 0) style.zIndex = String(Math.round(numberOf(zIndex)));
  return mark;
}

/** 0 for what is no number that can be used. */
function numberOf(value: unknown): number {
  const read = Number(value);
  return Number.isFinite(read) && read > 0 ? read : 0;
}

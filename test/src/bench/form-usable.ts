import { type FormLoad, loadForm } from '../widget/form-load.js';
import { withWidgetStack } from '../widget/with-widget-stack.js';
import { type BenchRow, median } from './measure.js';
import { atMost } from './row.js';
import type { BenchSize } from './suites.js';

const LOADS: Readonly<Record<BenchSize, number>> = { full: 15, short: 3 };
/** From the start of the navigation until a digit can be typed, by the clock and by the processor. */
const ALLOWED_MS = 300;

/** How soon the payment form on a page of a shop can be used in Chromium, with nothing of it in the cache. */
export function benchFormUsable(size: BenchSize): Promise<BenchRow[]> {
  return withWidgetStack(async (widget) => {
    const loads: FormLoad[] = [];
    // The first load starts what the gateway and the browser start once.
    await loadForm(widget, widget.browser);
    while (loads.length < LOADS[size]) loads.push(await loadForm(widget, widget.browser));
    const row = (name: string, value: (load: FormLoad) => number): BenchRow =>
      atMost(`form-usable: ${name}`, 'ms', median(loads.map(value)), ALLOWED_MS);
    return [
      row('until a card number can be typed', ({ wallMs }) => wallMs),
      row('processor of the page until then', ({ cpuMs }) => cpuMs),
    ];
  });
}

import { beforeAll, expect, it } from 'vitest';
import { loadForm } from './form-load.js';
import type { WidgetStack } from './widget-stack.js';

/** How soon a shopper can type. @param started the stack that all journeys share */
export function speedJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  /** Requests that wait for each other, once the page is there: its script, the frames, the checkout. */
  const ROUND_TRIPS = 3;
  /** Shop's page; script; frames of session, number and code; checkout. */
  const REQUESTS = 6;
  /** Of the processor, not of the clock: other programs do not count. */
  const MOST_CPU_MS = 300;
  /** Added to each request: far more than what a busy machine takes for all of them. */
  const LATENCY_MS = 2_000;

  it('the number of a card can be typed after three round trips and little work', async () => {
    const loads = [];
    for (let load = 0; load < 5; load += 1) loads.push(await loadForm(widget, widget.browser));
    const wallMs = Math.min(...loads.map((load) => load.wallMs));
    const cpuMs = Math.min(...loads.map((load) => load.cpuMs));
    const requests = Math.max(...loads.map((load) => load.requests));
    const slow = await loadForm(widget, widget.browser, LATENCY_MS);
    const roundTrips = Math.round((slow.wallMs - wallMs) / LATENCY_MS);
    console.log(
      `form usable: ${wallMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of the processor, ${requests} requests, ${roundTrips} round trips (${((slow.wallMs - wallMs) / LATENCY_MS).toFixed(2)})`,
    );
    expect(requests).toBeLessThanOrEqual(REQUESTS);
    expect(roundTrips).toBeLessThanOrEqual(ROUND_TRIPS);
    expect(cpuMs).toBeLessThan(MOST_CPU_MS);
  });
}

import { Gauge, type Registry } from 'prom-client';

/** Shows a number as it is at the time of each request for the metrics. */
export function showNumber(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

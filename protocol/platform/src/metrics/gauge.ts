import { Gauge, type Registry } from 'prom-client';

/** Shows a number as it is when somebody asks for the metrics. */
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

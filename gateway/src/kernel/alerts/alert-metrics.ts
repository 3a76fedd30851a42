import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../store/store.js';
import { ALERT_CODES } from './alert-table.js';

/** Alerts of one code that a count reads at most. */
const COUNTED_ALERTS = 1_000;

/** Shows the open alerts of every code; acknowledged ones are not counted. */
export function alertMetrics(registry: Registry, store: Pick<Store, 'find'>): void {
  new Gauge({
    name: 'tillbridge_alerts_open',
    help: `Open alerts by code, up to ${COUNTED_ALERTS} each; not a number while the database cannot be read`,
    labelNames: ['code'],
    registers: [registry],
    async collect() {
      const count = async (code: string): Promise<void> => {
        const found = store.find('alerts', 'code', [code, 'open'], { limit: COUNTED_ALERTS });
        // The other metrics must stay readable while the disk is gone.
        this.set(
          { code },
          await found.then(
            (rows) => rows.length,
            () => Number.NaN,
          ),
        );
      };
      await Promise.all(ALERT_CODES.map(count));
    },
  });
}

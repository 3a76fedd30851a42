import type { ChargebackSimulator } from '../../acquirers/acquirer.js';

/** The parts that make chargebacks happen; test mode only. */
export interface SimulatedChargebacks {
  readonly simulator: ChargebackSimulator;
  /** Books what the acquirer tells. */
  readonly book: () => Promise<void>;
}

import type { EgressRules } from '../../kernel/egress/target.js';
import type { Store } from '../../kernel/store/store.js';
import type { DeliverDeps } from './deliver.js';

/** What endpoints are looked after with. */
export interface WebhookDeps extends DeliverDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  /** Which URLs may be named. */
  readonly rules: EgressRules;
  /** Who requests it, for the audit records that each change commits with it. */
  readonly actor: string;
  /** Entities whose endpoints alone there are, for a merchant; absent for the operator. */
  readonly owners?: readonly string[];
}

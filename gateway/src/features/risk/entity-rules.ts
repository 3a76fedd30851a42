import { type EntityDeps, requireEntity } from '../../core/entities/entities.js';
import type { Store } from '../../kernel/store/store.js';
import { NO_RISK_RULES, type RiskRules } from './rules/risk-rules.js';

/** The risk rules of a merchant or channel as they were set; {@link NO_RISK_RULES} where none were. @throws OperatorError */
export async function riskRulesOfEntity(store: Store, entityId: string): Promise<RiskRules> {
  await requireEntity(store, entityId);
  const stored = await store.get('riskRules', [entityId]);
  return stored ? (JSON.parse(stored.rules) as RiskRules) : NO_RISK_RULES;
}

/** Sets the risk rules of a merchant or channel; undefined: it has none of its own. @throws OperatorError */
export async function setRiskRules(
  { store, clock }: Pick<EntityDeps, 'store' | 'clock'>,
  entityId: string,
  rules: RiskRules | undefined,
): Promise<void> {
  await requireEntity(store, entityId);
  const stored = await store.get('riskRules', [entityId]);
  const table = 'riskRules';
  if (!rules) {
    if (stored) await store.commit([{ op: 'delete', table, key: [entityId], version: stored.version }]);
    return;
  }
  const written = { rules: JSON.stringify(rules), updatedAtMs: clock.nowMs() };
  const row = { entityId, ...written, version: stored?.version ?? 1 };
  await store.commit([{ op: stored ? 'update' : 'insert', table, row }]);
}

import { MIGRATION_PARAMETERS } from '../catalogue/migration.js';
import { requiredNames } from '../validate.js';
import { demand, hasGroup, type Rule } from './rule.js';

/** recurringMigration.paymentType is mandatory where the group is used (docs/card-on-file.md). */
export const migrationRule: Rule = (facts) =>
  hasGroup(facts, 'recurringMigration.') ? demand(facts, requiredNames(MIGRATION_PARAMETERS)) : [];

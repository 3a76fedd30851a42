import { MIGRATION_PARAMETERS } from '../catalogue/migration.js';
import { requiredNames } from '../validate.js';
import { demand, type Rule } from './rule.js';

/** recurringMigration.paymentType is mandatory where the group is used (docs/card-on-file.md). */
export const migrationRule: Rule = (facts) =>
  facts.groups.has('recurringMigration') ? demand(facts, requiredNames(MIGRATION_PARAMETERS)) : [];

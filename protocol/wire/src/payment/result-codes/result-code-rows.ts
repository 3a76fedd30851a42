import { RESULT_GROUPS } from './result-classes.js';
import { RESULT_CODE_TABLE } from './result-code-table.js';
import { MEANING_BY_GROUP, resultMeaning } from './result-meanings.js';

/** Every result code and every pattern of the API family with what it means for a shop, as an API reference shows them. */
export function resultCodeRows() {
  return {
    resultGroups: RESULT_GROUPS.map(([name, { source: pattern }]) => ({
      ...{ name, pattern },
      ...MEANING_BY_GROUP[name],
    })),
    resultCodes: Object.entries(RESULT_CODE_TABLE).map(([code, description]) => ({
      ...{ code, description },
      ...resultMeaning(code),
    })),
  };
}

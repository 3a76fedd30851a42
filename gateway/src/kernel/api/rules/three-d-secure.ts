import { BILLING_PARAMETERS, CUSTOMER_PARAMETERS } from '../catalogue/parties.js';
import { demand, type Rule, type RuleFacts, wrong } from './rule.js';

/** Fields of the cardholder's browser and billing address that 3D Secure v2 needs (docs/three-d-secure.md). */
const VERSION_2_FIELDS: readonly string[] = [...CUSTOMER_PARAMETERS, ...BILLING_PARAMETERS]
  .filter((row) => row.condition === 'three-d-secure-2')
  .map((row) => row.name);
/** authenticationInd values of requestor authentication indicators 02 and 03. */
const RECURRING_OR_INSTALLMENT: readonly string[] = ['RECURRING', 'INSTALLMENT'];

/**
 * Server-to-server payments bring the fields; the widget gathers them itself. An app has no browser; a browser has to come back from a
 * challenge.
 */
export const versionTwoRule: Rule = (facts) => {
  if (!isServerToServer(facts) || facts.threeDSecure?.version !== 2) return [];
  const { appBased, requestorInitiated } = facts.threeDSecure;
  const fields =
    appBased || requestorInitiated
      ? VERSION_2_FIELDS.filter((name) => !name.startsWith('customer.browser.'))
      : [...VERSION_2_FIELDS, 'shopperResultUrl'];
  return demand(facts, fields, 'when 3D Secure v2 is processed');
};

/** deviceInfo when the app-based flow is started (docs/three-d-secure.md). */
export const appBasedRule: Rule = (facts) =>
  facts.threeDSecure?.appBased
    ? demand(facts, ['threeDSecure.deviceInfo'], 'in the app-based 3D Secure v2 flow')
    : [];

/** numberOfInstallments when 3D Secure is processed on a transaction of type INSTALLMENT (docs/three-d-secure.md). */
export const installmentRule: Rule = (facts) => {
  const isInstallment = facts.values.get('standingInstruction.type') === 'INSTALLMENT';
  return facts.threeDSecure && isInstallment
    ? demand(
        facts,
        ['standingInstruction.numberOfInstallments'],
        'when 3D Secure is processed on type INSTALLMENT',
      )
    : [];
};

/** CB-USECASE of the domestic french scheme: message category PA, or NPA with indicator 02 or 03 (docs/three-d-secure.md). */
export const frenchSchemeRule: Rule = (facts) => {
  if (!facts.threeDSecure || facts.values.get('paymentBrand') !== 'CARTEBANCAIRE') return [];
  const isNonPayment = facts.values.get('threeDSecure.npa') === 'true';
  const indicator = facts.values.get('threeDSecure.authenticationInd') ?? '';
  return isNonPayment && !RECURRING_OR_INSTALLMENT.includes(indicator)
    ? []
    : demand(facts, ['threeDSecure.schemeData[CB-USECASE]'], 'for the domestic french scheme');
};

/** Exemptions came with 3D Secure 2.2 (docs/three-d-secure.md): a request that names an older version cannot ask for one. */
export const exemptionRule: Rule = (facts) => {
  const version = facts.values.get('threeDSecure.version');
  if (version === undefined || !facts.values.has('threeDSecure.exemptionFlag')) return [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 2 || (major === 2 && minor >= 2)) return [];
  return [wrong(facts, 'threeDSecure.exemptionFlag', 'needs 3D Secure 2.2 or higher')];
};

function isServerToServer({ operation }: RuleFacts): boolean {
  return (
    operation === 'payment' ||
    operation === 'registration-payment' ||
    operation === 'registration' ||
    operation === 'three-d-secure'
  );
}

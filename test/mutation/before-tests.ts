import fc from 'fast-check';

/** Where Stryker keeps which change is in force. */
interface Instrumented {
  __stryker__?: { activeMutant?: string | undefined };
}

// A thread that stays for the next run has the change of the last one in force until the tests begin. What a file of tests computes while it is
// collected must be computed without any: with a change it may fail, and then the change of no later run would be in force either.
const { __stryker__: instrumented } = globalThis as Instrumented;
if (instrumented) instrumented.activeMutant = undefined;

// Whether a property fails is all that counts: no smaller example is looked for, which may take longer than the property itself.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

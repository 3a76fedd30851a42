import { readFileSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest';
import type { KeyAlgorithm, KeyInfo, KeyUsage } from './keys/key-store.js';
import { type SecurityModule, SecurityModuleError } from './module/security-module.js';
import { BACKENDS, type OpenBackend } from './security-backends.test.support.js';
import { openKeyStore, temporaryHome } from './test-keys.test.support.js';

/** An implementation of the security module on its own home. */
interface ModuleHarness {
  readonly module: SecurityModule;
  readonly backend: OpenBackend;
  /** A key where the implementation keeps such keys; the module sees it afterwards. */
  addKey(
    usage: KeyUsage,
    algorithm: KeyAlgorithm,
    key: Uint8Array,
    scope?: string,
    deviceType?: string,
  ): KeyInfo;
  /** Opens the module anew, so that it sees what became of the keys. */
  reopen(): void;
}

/** Runs tests on every implementation of the security module, each test on a fresh one. */
export function onEveryModule(tests: (harness: ModuleHarness) => void): void {
  describe.each(BACKENDS)('$name', ({ skip, open, end }) => {
    describe.skipIf(skip !== undefined)(skip ?? 'as every security module', () => {
      let home: string;
      let backend: OpenBackend;
      let module: SecurityModule;
      beforeEach(() => {
        home = temporaryHome();
        backend = open(openKeyStore(home));
        module = backend.module();
      });
      afterAll(end);
      afterEach(() => {
        backend.close();
        rmSync(home, { recursive: true, force: true });
      });
      const harness: ModuleHarness = {
        get module() {
          return module;
        },
        get backend() {
          return backend;
        },
        addKey(usage, algorithm, key, scope = '', deviceType) {
          const ofDevices = deviceType !== undefined && { deviceType };
          const id = `${usage}-${scope}`;
          const info = backend.keys.add({ id, usage, algorithm, scope, label: '', key, ...ofDevices });
          harness.reopen();
          return info;
        },
        reopen() {
          module = backend.module();
        },
      };
      tests(harness);
    });
  });
}

/** The error of the module that a promise must end in. */
export async function failure(promise: Promise<unknown>): Promise<SecurityModuleError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SecurityModuleError);
  return error as SecurityModuleError;
}

/** A published example. */
export interface Vector {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>> & { readonly tags: Readonly<Record<string, string>> };
  readonly expected: Readonly<Record<string, string>>;
}

/** The published examples of a topic that are wanted. */
export function vectors(topic: string, wanted: (inputs: Vector['inputs']) => boolean): readonly Vector[] {
  const file = new URL(`../../../test/vectors/${topic}.json`, import.meta.url);
  const all = (JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }).vectors;
  return all.filter(({ inputs }) => wanted(inputs));
}

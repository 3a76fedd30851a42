import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Handle, PKCS11 } from 'pkcs11js';
import { SecurityModuleError } from '../module/security-module.js';

type Pkcs11js = typeof import('pkcs11js');

/** Which token to work with. */
export interface Pkcs11Options {
  /** Path of the maker's PKCS#11 library. */
  readonly library: string;
  readonly tokenLabel: string;
  /** The user's PIN of the token. */
  readonly pin: string;
}

/** Answers of a library after which the session is of no use: the token was removed, reset or logged out. */
const SESSION_LOST: ReadonlySet<string> = new Set([
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_SESSION_CLOSED',
  'CKR_USER_NOT_LOGGED_IN',
  'CKR_OPERATION_ACTIVE',
  'CKR_DEVICE_REMOVED',
  'CKR_DEVICE_ERROR',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_TOKEN_NOT_RECOGNIZED',
  'CKR_SLOT_ID_INVALID',
]);

/** The binding is a native module that few gateways need: it is loaded when a token is configured, and only then. */
function loadBinding(): Pkcs11js {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Pkcs11js;
  } catch {
    throw new SecurityModuleError(
      'unavailable',
      'the package pkcs11js is not installed or not built: run npm rebuild pkcs11js',
    );
  }
}

/** A login at a token. The next call renews a lost login: until the token is back every call fails without waiting. */
export class Pkcs11Session {
  readonly binding: Pkcs11js;
  readonly #module: PKCS11;
  readonly #options: Pkcs11Options;
  #session: Handle | undefined;
  #logins = 0;

  private constructor(binding: Pkcs11js, module: PKCS11, options: Pkcs11Options) {
    this.binding = binding;
    this.#module = module;
    this.#options = options;
  }

  /**
   * Loads the library, finds the token by its label and logs in.
   * @throws SecurityModuleError unavailable, saying which of the three failed
   */
  static open(options: Pkcs11Options): Pkcs11Session {
    const binding = loadBinding();
    const { library } = options;
    if (!existsSync(library))
      throw new SecurityModuleError('unavailable', `the PKCS#11 library ${library} is not there`);
    const module = new binding.PKCS11();
    guarded('load', () => module.load(library));
    const session = new Pkcs11Session(binding, module, options);
    try {
      guarded('initialize', () => module.C_Initialize());
      session.#session = session.#logIn();
      return session;
    } catch (error) {
      module.close();
      throw error;
    }
  }

  /** How many logins there were; handles of keys are good for one. */
  get logins(): number {
    return this.#logins;
  }

  /** The login is lost; the next call makes another one. */
  get isLost(): boolean {
    return this.#session === undefined;
  }

  /**
   * Calls the library.
   * @param what completes "the token could not …"
   * @throws SecurityModuleError unavailable with the name of the return value, which holds no data
   */
  run<T>(what: string, calls: (module: PKCS11, session: Handle) => T): T {
    this.#session ??= this.#logIn();
    const session = this.#session;
    return guarded(what, () => {
      try {
        return calls(this.#module, session);
      } catch (error) {
        if (SESSION_LOST.has(returnValue(error))) this.#closeSession(session);
        throw error;
      }
    });
  }

  /** Ends the login and unloads the library; the token can be opened again. */
  close(): void {
    guarded('close', () => {
      if (this.#session !== undefined) this.#closeSession(this.#session);
      this.#module.C_Finalize();
    });
    this.#module.close();
  }

  #closeSession(session: Handle): void {
    this.#session = undefined;
    try {
      this.#module.C_CloseSession(session);
    } catch {
      // It was lost: there is nothing to close.
    }
  }

  #logIn(): Handle {
    const { binding } = this;
    const module = this.#module;
    const { tokenLabel, pin } = this.#options;
    const slot = guarded('list tokens', () =>
      module
        .C_GetSlotList(true)
        .find((candidate) => module.C_GetTokenInfo(candidate).label.trim() === tokenLabel),
    );
    if (slot === undefined)
      throw new SecurityModuleError('unavailable', `no token has the label ${tokenLabel}`);
    const flags = binding.CKF_SERIAL_SESSION | binding.CKF_RW_SESSION;
    const session = guarded('open a session', () => module.C_OpenSession(slot, flags));
    guarded('log in', () => {
      try {
        module.C_Login(session, binding.CKU_USER, pin);
      } catch (error) {
        // A login holds for all sessions of the process: another session may still have it.
        if (returnValue(error) !== 'CKR_USER_ALREADY_LOGGED_IN') throw error;
      }
    });
    this.#logins += 1;
    return session;
  }
}

function returnValue(error: unknown): string {
  return error instanceof Error ? (/CKR_[A-Z_]+/.exec(error.message)?.[0] ?? error.name) : 'error';
}

/** The token's own errors in the module's words: what was tried and the name of the return value. */
function guarded<T>(what: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof SecurityModuleError) throw error;
    throw new SecurityModuleError('unavailable', `the token could not ${what}: ${returnValue(error)}`);
  }
}

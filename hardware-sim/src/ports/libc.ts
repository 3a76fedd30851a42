import koffi from 'koffi';

/** The C calls behind pseudo-terminals (POSIX.1-2017 `posix_openpt`, `grantpt`, `unlockpt`, termios). */
export interface Libc {
  /** A new master side; returns its descriptor. */
  openMaster(): number;
  /** Path of the slave side of `masterFd`, ready to be opened. */
  slavePath(masterFd: number): string;
  /** Switches the line of `slaveFd` to raw mode: no echo, no line editing, no translation. */
  setRaw(slaveFd: number): void;
  /** Makes reads and writes of a descriptor return at once when there is nothing to read or no room to write. */
  setNonBlocking(fd: number): void;
}

/** A libc call failed; the message names the call and the errno. */
export class LibcError extends Error {
  override readonly name = 'LibcError';
}

const O_RDWR = 2;
const O_NOCTTY = process.platform === 'darwin' ? 0x20000 : 0x100;
/** Longest slave path we accept; Linux and macOS use less than 32. */
const PATH_MAX_BYTES = 256;
/** `struct termios` takes 60 bytes on Linux and 72 on macOS. */
const TERMIOS_BYTES = 256;
const TCSANOW = 0;
const F_GETFL = 3;
const F_SETFL = 4;
const O_NONBLOCK = process.platform === 'darwin' ? 0x4 : 0x800;

let loaded: Libc | undefined;

/**
 * The running process's own C library, on Linux and macOS.
 * @throws LibcError on platforms without POSIX pseudo-terminals, saying what to do there.
 */
export function loadLibc(): Libc {
  if (process.platform === 'win32') {
    throw new LibcError(
      'Windows has no pseudo-terminals: run simulator and agent inside WSL 2, where the ports are found under ' +
        'the same paths as on Linux',
    );
  }
  loaded ??= bindLibc();
  return loaded;
}

function bindLibc(): Libc {
  const library = koffi.load(null);
  const posixOpenpt = library.func('int posix_openpt(int flags)');
  const grantpt = library.func('int grantpt(int fd)');
  const unlockpt = library.func('int unlockpt(int fd)');
  const tcgetattr = library.func('int tcgetattr(int fd, _Out_ uint8_t *termios)');
  const tcsetattr = library.func('int tcsetattr(int fd, int actions, uint8_t *termios)');
  const cfmakeraw = library.func('void cfmakeraw(_Inout_ uint8_t *termios)');
  const fcntl = library.func('int fcntl(int fd, int command, ...)');
  const readSlavePath = bindPtsname(library);

  const check = (call: string, result: number): number => {
    if (result < 0) throw new LibcError(`${call} failed with errno ${koffi.errno()}`);
    return result;
  };
  return {
    openMaster: () => check('posix_openpt', posixOpenpt(O_RDWR | O_NOCTTY)),
    slavePath(masterFd) {
      check('grantpt', grantpt(masterFd));
      check('unlockpt', unlockpt(masterFd));
      return readSlavePath(masterFd);
    },
    setRaw(slaveFd) {
      const termios = Buffer.alloc(TERMIOS_BYTES);
      check('tcgetattr', tcgetattr(slaveFd, termios));
      cfmakeraw(termios);
      check('tcsetattr', tcsetattr(slaveFd, TCSANOW, termios));
    },
    setNonBlocking(fd) {
      const flags = check('fcntl', fcntl(fd, F_GETFL, 'int', 0));
      check('fcntl', fcntl(fd, F_SETFL, 'int', flags | O_NONBLOCK));
    },
  };
}

/** `ptsname` is safe here (one thread calls it); Linux prefers the re-entrant form, macOS has it since 10.13.4 only. */
function bindPtsname(library: ReturnType<typeof koffi.load>): (masterFd: number) => string {
  if (process.platform === 'linux') {
    const ptsnameR = library.func('int ptsname_r(int fd, _Out_ uint8_t *path, size_t length)');
    return (masterFd) => {
      const path = Buffer.alloc(PATH_MAX_BYTES);
      const result: number = ptsnameR(masterFd, path, path.length);
      if (result !== 0) throw new LibcError(`ptsname_r failed with errno ${result}`);
      return path.toString('latin1', 0, path.indexOf(0));
    };
  }
  const ptsname = library.func('const char *ptsname(int fd)');
  return (masterFd) => {
    const path: string | null = ptsname(masterFd);
    if (path === null) throw new LibcError(`ptsname failed with errno ${koffi.errno()}`);
    return path;
  };
}

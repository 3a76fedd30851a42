// What the install needs of the machine, found in milliseconds: without it npm fails after minutes, in sixty lines.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs by which node-gyp compiles, any one of a row, and the variables that may name another. */
const TOOLS = [
  { name: 'Python 3', programs: ['python3', 'python'], variables: ['npm_config_python', 'PYTHON'] },
  { name: 'make', programs: ['make', 'gmake'], variables: ['MAKE'] },
  { name: 'a C++ compiler', programs: ['c++', 'g++', 'clang++'], variables: ['CXX'] },
];

const HOW_TO_INSTALL = {
  linux:
    'Debian and Ubuntu: sudo apt-get install python3 make g++. Fedora: sudo dnf install python3 make gcc-c++.',
  darwin: 'xcode-select --install',
};

/** What is missing and how to install it; undefined where all is there, and on systems whose tools are found otherwise. */
export function missingPrerequisites(env = process.env, platform = process.platform) {
  if (!(platform in HOW_TO_INSTALL)) return undefined;
  const missing = TOOLS.filter(
    ({ programs, variables }) =>
      !variables.some((name) => env[name]) && !programs.some((program) => isOnPath(program, env.PATH ?? '')),
  ).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  const verb = missing.length === 1 ? 'is' : 'are';
  return `${missing.join(' and ')} ${verb} missing: the install compiles sqlite3 with it. ${HOW_TO_INSTALL[platform]} Then run the same command again.`;
}

function isOnPath(program, path) {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

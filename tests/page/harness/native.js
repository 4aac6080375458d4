// The native program.

import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The command of the program, or the one that builds and runs it, from the root of the repository. */
export const program = () =>
  process.env.OUTFLANK_NATIVE
    ? [process.env.OUTFLANK_NATIVE]
    : ['cargo', 'run', '--quiet', '--package', 'outflank-cli', '--'];

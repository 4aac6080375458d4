// What the workers of the page use that is built, or set by the module of the engine.

declare module '*/engine/build.js';
declare module '*/engine/outflank-threads.js';

/** The message of a panic of the engine. */
declare var outflankPanic: string | undefined;

// The version of the engine, as published records state it. It is raised by each change that gives other figures for the same input, and
// by no other: the hash of its sources changes with every sign. `tests/golden` compares the figures, and `npm run golden` writes those of a
// new version.
export const ENGINE_VERSION = 'bellwether-engine/1';

/** Of records that state none. */
export const FIRST_ENGINE_VERSION = 'bellwether-engine/1';

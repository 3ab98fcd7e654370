// The identity of a strategy definition: SHA-256 of its canonical JSON. Parse first, so that defaults are filled in.
import { canonicalJson } from '../evidence/canonical-json.ts';
import { sha256Hex } from '../evidence/sha256.ts';
import type { StrategyDefinition } from './definition.ts';

export function definitionHash(definition: StrategyDefinition): string {
  return sha256Hex(canonicalJson(definition));
}

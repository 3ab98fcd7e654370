import { Link } from '../control/link.tsx';

/** Marks every figure that no client ever earned, and links to the disclosure. */
export function Hypothetical() {
  return (
    <Link
      to="/hypothetical-performance-disclosures"
      className="-my-1 inline-block py-1 text-xs text-ink-faint underline decoration-dotted underline-offset-3 hover:text-accent"
    >
      Hypothetical
    </Link>
  );
}

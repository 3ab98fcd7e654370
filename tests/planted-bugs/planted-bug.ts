/** One slip that a person could make, as the replacement of one text of one file. */
export type PlantedBug = {
  readonly name: string;
  /** From the root of the project. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files, or `simulate N` for N seeds; the cheapest suite that should detect the bug comes first. */
  readonly suites: readonly string[];
};

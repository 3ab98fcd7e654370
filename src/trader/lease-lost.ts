/** Another trader has the work now, or soon. Nothing was written. */
export class LeaseLost extends Error {}

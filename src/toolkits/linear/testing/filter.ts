/** Linear's filters, as far as the tools use them, over records. */
export type Stored = { readonly [field: string]: unknown };

export function fits(value: unknown, filter: unknown): boolean {
  return Object.entries((filter ?? {}) as Stored).every(([key, wanted]) => {
    switch (key) {
      case 'or':
        return (wanted as unknown[]).some((one) => fits(value, one));
      case 'and':
        return (wanted as unknown[]).every((one) => fits(value, one));
      case 'some':
        return (value as unknown[]).some((one) => fits(one, wanted));
      case 'null':
        return (value === null || value === undefined) === wanted;
      case 'eq':
        return value === wanted;
      case 'eqIgnoreCase':
        return String(value ?? '').toLowerCase() === String(wanted).toLowerCase();
      case 'containsIgnoreCase':
        return String(value ?? '')
          .toLowerCase()
          .includes(String(wanted).toLowerCase());
      case 'gte':
        return Date.parse(String(value)) >= Date.parse(String(wanted));
      default:
        return (
          value !== null && value !== undefined && key in (value as Stored) && fits((value as Stored)[key], wanted)
        );
    }
  });
}

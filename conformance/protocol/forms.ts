/* The forms that the scenarios of elicitation look for. */

export const PERSON = {
  type: 'object' as const,
  properties: {
    username: { type: 'string' as const, description: 'User’s response' },
    email: { type: 'string' as const, description: 'User’s email address' },
  },
  required: ['username', 'email'],
};

/** A default for every primitive type (SEP-1034). */
export const DEFAULTS = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'John Doe' },
    age: { type: 'integer' as const, default: 30 },
    score: { type: 'number' as const, default: 95.5 },
    status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean' as const, default: true },
  },
};

/** Every kind of choice (SEP-1330). */
export const CHOICES = {
  type: 'object' as const,
  properties: {
    untitledSingle: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string' as const, oneOf: titled('First Option', 'Second Option') },
    legacyEnum: {
      type: 'string' as const,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array' as const,
      items: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: { type: 'array' as const, items: { anyOf: titled('First Choice', 'Second Choice') } },
  },
};

function titled(...titles: string[]): { const: string; title: string }[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

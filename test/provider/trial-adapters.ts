/** A payment adapter for development only, and one for production too. */
export const trial = {
  name: 'trial',
  developmentOnly: true,
  methods: () => [{ id: 'trial', title: 'Trial' }],
  start: () => ({ later: true }) as const,
}

export const real = {
  ...trial,
  name: 'real',
  developmentOnly: false,
  methods: () => [{ id: 'card', title: 'Card' }],
}

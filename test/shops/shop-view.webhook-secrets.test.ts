import { expect, test } from 'vitest'
import { newWebhookKey, webhookSecretsOf } from '../../src/shops/shop-view.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'

test('a secret in the row of another shop is refused, and the error names the shop and the table to restore', async () => {
  const workings = providerIn(movableWorld().world, {})
  const { key } = newWebhookKey(workings, 'red')
  const row = { ...key, createdAt: key.now, expiresAt: undefined }
  workings.store.webhookKeys = async () => [row]
  expect(await webhookSecretsOf(workings, 'red')).toHaveLength(1)
  await expect(webhookSecretsOf(workings, 'blue')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: 'A webhook secret of shop blue belongs to another one. Restore webhook_keys',
  })
})

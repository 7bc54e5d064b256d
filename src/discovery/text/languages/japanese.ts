/** Japanese verbs and nouns of requests, verbs by the beginnings that their forms share; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const japanese: LanguageData = {
  functions: `
    not ではなく じゃなく ではない しないで せずに ないで, of の, in で に 内の 中の, to へ まで 宛に 宛てに, and と や および, then それから その後 して次に, from から, my 私の 自分の 僕の, our うちの 当社の 弊社の, this この これ こちら, that その あの それ, all
    全部 すべて 全て 全ての 一覧で, about について に関する, what 何 どの どんな, who 誰 だれ, when いつ, where どこ, how どう どうやって, please ください 下さい お願い お願いします ほしい 欲しい たい くれる もらえる できる
    は が を も か ね よ です ます って という いる ある した する して し された, how_many いくつ 何件 何人 いくら どれくらい, new 新しい 新しく 新規, more もっと,
    still まだ, already もう, always いつも, something 何か, somebody 誰か, everyone みんな 全員, nobody 誰も, nothing 何も, why なぜ なんで, because
    ので だから, but でも けど, before 前に, after 後で あとで, during 中に の間, against に対して, under 下に, above 上に, below 下の, inside 中に入って,
    outside 外に, back 戻し, away 離れ, down 下げ, up 上げ, very とても 非常に, too すぎ すぎる, less もっと少なく, enough 十分, almost ほとんど, soon すぐ
    もうすぐ, immediately 今すぐ 直ちに, quickly 早く 急いで, maybe たぶん もしかして, about くらい ぐらい ごろ, together 一緒に, first 最初の まず, second 二番目,
    third 三番目, once 一回, again もう一度 また, same 同じ, other 他の 別の, every 毎, many たくさん 多くの, some いくつかの, both 両方, whole 全体, most
    ほとんどの, thanks ありがとう 頼む, hello こんにちは, ok 了解, yes はい, can できます, should べき, had でした, done やった 済み, now いまの 現時点, later 後ほど,
    ago さっき, until_now これまで, instead 代わりに, just ちょっと たった今, there そこ あそこ, here ここ, us 私たち, they 彼ら, one 一つ`,
  verbs: `
    create 作成 作って 作る 作り 作りたい 新規作成 立てて 生成 つくって 起票, add 追加 加えて 加える 足して 入れて 入れる 付け加え, delete 削除 消して 消す 消し, remove 外して 外す 取り除 除外 はずして, update 更新
    変更 編集 修正 直して 直す 書き換え, change 変えて 変える 変え, rename 名前を変更 改名 名前を変え リネーム, set 設定 セット, send 送信 送って 送る 送り 送付 送りたい 出して, reply 返信 返事 返答, forward
    転送, show 表示 見せて 見せる 見たい 見て 見る 確認したい, get 取得 教えて 教え 調べて 知りたい 取って 取り出し 参照 もらって, list 一覧 リストアップ 一覧表示 列挙 並べて, search 検索 探して 探す 探し 調査, find
    見つけて 見つけ, open 開いて 開く, read 読んで 読む 読み込 読み上げ, download ダウンロード, upload アップロード アップして, export エクスポート 書き出し 書き出して, import インポート 取り込, move 移動 移して 移す, copy コピー 複写,
    duplicate 複製, share 共有 シェア, invite 招待 誘って, assign 割り当て 割り当てて 担当にして アサイン, close クローズ 閉じて 閉じる 締めて, complete 完了 終わらせ 完了にして, mark マーク 既読にして, cancel キャンセル 取り消し
    取り消して 中止, archive アーカイブ, restore 復元 元に戻して 戻して, publish 公開 発行, post 投稿 書き込 掲載, schedule スケジュールして 予定を入れ 予約投稿, reschedule 延期 リスケ 日程を変更 ずらして, start 開始
    始めて 起動 スタート, stop 停止 止めて 止める, pause 一時停止, resume 再開, run 実行 走らせ, enable 有効 オンにして 有効化 つけて, disable 無効 オフにして 無効化, approve 承認, reject 却下 拒否, accept 受け入れ 承諾,
    merge マージ 統合 結合, lock ロック, unlock ロック解除, subscribe 購読 登録したい, unsubscribe 購読解除 配信停止 解除, follow フォロー, unfollow フォロー解除, like いいね, pay 支払って 支払う 払って, charge 請求して 課金,
    refund 返金 払い戻し, buy 買って 購入, order 注文して 発注, book 予約して 予約, check 確認 チェック, verify 検証, count 数えて 件数 集計, calculate 計算, convert 変換 換算, translate 翻訳 訳して, summarize 要約 まとめて,
    compare 比較 比べて, analyze 分析 解析, write 書いて 書く 執筆, save 保存 保管, attach 添付, block ブロック, notify 通知して 知らせて 連絡して お知らせ, remind リマインド 思い出させて, connect 接続 つないで 連携, disconnect 切断, sync
    同期, track 追跡, record 記録 登録 メモして, call 電話して 電話をかけ, ask 聞いて 質問して, sign 署名 サイン, print 印刷, play 再生 流して かけて, mute ミュート 消音, pin ピン留め 固定, sort 並べ替え ソート, filter 絞り込, replace 置き換え 置換
    差し替え, clear クリア 空にして, leave 退出 抜けて, join 参加, deploy デプロイ, build ビルド, test テスト, scan スキャン, extract 抽出 抜き出し, scrape スクレイピング, transcribe 文字起こし, draw 描いて, resize リサイズ
    サイズ変更, compress 圧縮, submit 提出, describe 説明して, explain 解説, tag タグ付け, comment コメントして, review レビュー 見直, link リンクして 紐付け, hide 非表示, reset リセット, retry 再試行 やり直, split 分割,
    transfer 振り込 振込 送金, suspend 停止して, revoke 取り消す 失効, grant 付与, crop 切り抜, predict 予測, solve 解いて, browse 閲覧, visit 訪問 アクセスして, evaluate 評価, multiply 掛けて 掛ける, divide 割って, round 丸めて,
    win 勝った 優勝, lose 負けた, sell 売れた 売る, forget 忘れた, fix 修理, rent 貸す 借りる, hire 採用 雇う, delete 捨てて 捨てる 消さ, finish 終わった,
    send 送っ 届け,
    take 取る, put 置く 置いて, pull 引き, bring 持ってきて, come 来る, go 行く, stay 残り 残って, need 必要, owe 未払い, earn 稼ぐ, cost かかる, consume 消費,
    hit 当たる, grow 伸び 増えた, increase 増やす 上げて, reduce 減らす 下げて, improve 改善, finish 終える, begin 始める, work 働く 働いた, function 動く 動いて,
    leave 残して, hold 保つ, keep 残す, sign_in ログインして, sign_out ログアウト, register 登録して, clock_in 打刻, clock_out 退勤, withdraw 引き出す
    取り下げ, promote 昇進, fire 解雇, recommend おすすめ, suggest 提案, discuss 話し合う, speak 話す, tell 伝えて, decide 決める, plan 計画, measure
    測る, weigh 量る, cook 料理, eat 食べる, clean 掃除 整理, deliver 納品, arrive 届く 到着, ship 発送して, pack 梱包, lose なくした, break 壊れた, solve
    解決, wait 待つ, watch 視聴, listen 聴く, learn 学ぶ, teach 教える, enroll 受講, grade 採点, unlock 解錠, ban 追放, kick 追い出, hang_up 切って,
    turn_on 点けて, turn_off 消灯, charge 充電, restart 再起動, roll_back ロールバック, migrate 移行, index インデックス化, crawl クロール, detect 検出 判定,
    classify 分類, match 照合, rank 順位付け,
    remind 催促, nudge つついて, forward 回して, call_back 折り返し, pick_up 受け取り 引き取り, drop_off 預ける, lend 貸した, borrow 借りた, exchange 交換,
    return 返す 返却, pay 払った 支払い済み, sell 売り切れ, answer 答えて, confirm 確定, decline 断って 辞退, bring_forward 前倒し, shorten 短縮 縮めて,
    extend 延長, renew 更新手続き, expire 期限が切れ, swap 入れ替え, cover 代わりに入って, hire 採用して, thank お礼, apologize お詫び 謝って, congratulate
    お祝い, hang 貼って 掲示, stick 貼り付け, cut 切り取り カット, throw_out 捨て, tidy 片付け, open 開けて, switch_on 起動して, set 合わせて, lower 小さくして,
    raise 大きくして, wake 起こして, look 見ておいて, see 見た, know 知って, think 考え, happen 起きた, fall 落ちた, rise 上がった, miss 逃した, wear 着る, help
    手伝って, log 記帳, swipe スワイプ,
    retweet リツイート, clone クローン, restore 復活, unsubscribe 退会, take_over 引き受け, sign 署名済み, get もらえ 受け取った, change 変わった 変更された,
    write 書いた, say 言った, exist 実在, mean 意味, use 使っている, forget 忘れて, freeze 凍結, deploy リリースする, escalate エスカレーション, join 入会,
    travel 出張, breed 繁殖, rain 雨, freeze_over 霜`,
  nouns: `
    email メール 電子メール Eメール, inbox 受信トレイ 受信箱, message メッセージ, channel チャンネル チャネル, conversation 会話, chat チャット, thread スレッド, draft 下書き, attachment 添付ファイル, label ラベル, folder フォルダ フォルダー,
    file ファイル, document 文書 ドキュメント 書類 資料, page ページ, note ノート メモ, notebook ノートブック, task タスク 作業 やること, subtask サブタスク, list リスト 名簿, project プロジェクト 案件, board ボード, card カード, column 列
    カラム, checklist チェックリスト, comment コメント, reaction リアクション, issue 課題 イシュー 問題, ticket チケット, bug バグ 不具合, repository リポジトリ レポジトリ, branch ブランチ, commit コミット, pull_request プルリクエスト
    プルリク, release リリース, code コード, workflow ワークフロー, pipeline パイプライン, deployment デプロイメント, environment 環境, variable 変数, secret シークレット, key キー 鍵, event イベント 予定, calendar カレンダー, meeting
    会議 ミーティング 打ち合わせ, appointment アポ 予約枠, reminder リマインダー, invitation 招待状, attendee 参加者 出席者, availability 空き 空き時間 空いてる, schedule スケジュール 日程 シフト表, contact 連絡先, customer 顧客 お客様 取引先
    お客さん, company 会社 企業, organization 組織, lead リード 見込み客, deal 商談 取引, opportunity 案件機会, quote 見積 見積もり 見積書, order 注文 オーダー 受注, cart カート, product 商品 製品, item アイテム 品目 項目, price
    価格 値段 料金, discount 割引, coupon クーポン, inventory 在庫, shipment 出荷 発送, package 荷物 小包, address 住所 宛先, store 店舗 ショップ お店, invoice 請求書 インボイス, payment 支払い 支払 入金 決済, refund 返金処理,
    subscription サブスクリプション 定期購入 契約プラン, plan プラン, balance 残高, account アカウント 口座, transaction 取引履歴 トランザクション, transfer 送金記録, receipt 領収書 レシート, expense 経費 支出, budget 予算, tax 税金 税,
    dispute 異議, vendor 仕入先 業者, employee 従業員 社員, candidate 候補者 応募者, job 求人 仕事, application 応募 申請, vacation 休暇 有給, leave 休み 欠勤, payroll 給与明細, salary 給料 給与, shift シフト 当番, team チーム, member
    メンバー, user ユーザー ユーザ 利用者, group グループ, role 役割 ロール, permission 権限, access アクセス権 アクセス, password パスワード, profile プロフィール, photo 写真, image 画像 イメージ, video 動画 ビデオ 映像, audio 音声
    オーディオ, song 曲 歌, playlist プレイリスト, album アルバム, artist アーティスト, recording 録音 録画, transcript 議事録 トランスクリプト, translation 訳文, language 言語, text テキスト 文章, summary サマリー 概要, report レポート 報告書 報告,
    chart グラフ チャート, dashboard ダッシュボード, statistics 統計, metric 指標 メトリクス, analysis 分析結果, spreadsheet スプレッドシート 表計算, sheet シート, row 行, cell セル, table テーブル 表, database データベース, record レコード,
    field フィールド, value 値, query クエリ, form フォーム, survey アンケート 調査票, response 回答, question 質問, template テンプレート ひな形, campaign キャンペーン 広告キャンペーン, audience オーディエンス, segment セグメント, subscriber
    購読者, newsletter メルマガ ニュースレター, post 投稿記事 ツイート, article 記事, story ストーリー, follower フォロワー, website サイト ウェブサイト ホームページ, webpage ウェブページ, domain ドメイン, link リンク URL, result 結果, news
    ニュース, weather 天気 天候, forecast 予報, temperature 気温 温度, map 地図, location 場所 位置, city 都市 市, country 国, route ルート 経路 道順, distance 距離, flight フライト 便 航空券, hotel ホテル, reservation 予約状況, restaurant
    レストラン, menu メニュー, review レビュー記事 口コミ, rating 評価点, stock 株価 株, currency 通貨, exchange_rate 為替 為替レート, number 番号 数字 数, sum 合計, percentage パーセント 割合, date 日付, time 時刻 時間, timezone
    タイムゾーン, duration 所要時間, day 日, week 週, month 月, year 年, today 今日 本日, tomorrow 明日, yesterday 昨日, timer タイマー, log ログ, error エラー, alert アラート 警告, incident インシデント 障害, status ステータス 状態 状況,
    server サーバー サーバ, backup バックアップ, space 容量, storage ストレージ, device デバイス 端末, sensor センサー, light 照明 電気 ライト, phone 電話 電話番号, call 通話, voicemail 留守電, sms ショートメッセージ, notification 通知, settings
    設定内容, version バージョン, history 履歴, name 名前 名称, title タイトル 件名, description 説明, category カテゴリ カテゴリー, priority 優先度, deadline 締め切り 期限 締切, owner 担当者 所有者, stage ステージ 段階 フェーズ, goal 目標,
    milestone マイルストーン, workspace ワークスペース, drive ドライブ, signature 署名欄, contract 契約書 契約, envelope 封筒, student 生徒 学生, course コース 授業 講座, class クラス, grade 成績, assignment 宿題, lesson レッスン, recipe
    レシピ, book 本 書籍, chapter 章, definition 定義, word 単語 言葉, game ゲーム 試合, patient 患者, property 物件 不動産, house 家, car 車, vehicle 車両, driver 運転手 ドライバー, delivery 配達 配送, last 最後の 最新の 最新 最近の 最近 先週の, next
    次の 来週の, unread 未読, old 古い, person 人, activity アクティビティ, request リクエスト 依頼, data データ, tool ツール, ad 広告, view ビュー, keyword キーワード, purchase 購入品, sale 売上 販売, color 色, command コマンド, screenshot
    スクリーンショット スクショ, browser ブラウザ, memory 記憶, content 内容, math 数学,
    money お金 現金, room 部屋 号室, kitchen キッチン 台所, rent 家賃 賃料, insurance 保険, doctor 医者 先生, dentist 歯医者 歯科, pharmacy 薬局,
    child 子ども 子供, wedding 結婚式, birthday 誕生日, friend 友達 友人, family 家族, school 学校, trash ゴミ箱 ゴミ, weekend 週末, gift プレゼント,
    apartment マンション アパート, fee 手数料, tenant 入居者 借主, minute 分間, disk ディスク, tag タグ, agent エージェント, monitor モニター, button
    ボタン, screen 画面, template テンプレ, elevator エレベーター,
    monday 月曜, tuesday 火曜, wednesday 水曜, thursday 木曜, friday 金曜, saturday 土曜, sunday 日曜, january 一月, february 二月, march 三月,
    april 四月, june 六月, july 七月, august 八月, september 九月, october 十月, november 十一月, december 十二月, morning 朝 午前, noon 正午 昼,
    afternoon 午後, evening 夕方 夜 今夜, night 夜中 昨夜, two 二つ, three 三つ, ten 十個, euro ユーロ, dollar ドル, quarter 四半期, season シーズン 季節,
    summer 夏, winter 冬, spring 春, autumn 秋, holiday 祝日 休日, christmas クリスマス, easter イースター, department 部署 部門, recipient 受信者
    宛名, sender 送信者 差出人, feedback フィードバック 感想, estimate 見積り 概算, preview プレビュー, skill スキル 技能, score スコア 得点, brand ブランド,
    retention 保持期間, dictionary 辞書, risk リスク, target 目標値, privacy プライバシー, payout 支払い予定, quota 割当 上限, limit 制限, partner パートナー,
    bank 銀行, stock 株式, quiz クイズ 小テスト, enrollment 申し込み 受講登録, market 市場, license ライセンス 免許, letter 手紙, postcard はがき ポストカード,
    logo ロゴ, evidence 証拠, income 収入, profit 利益, loss 損失, cost 費用 コスト, debt 借金 未収, amount 金額, iban 口座番号, loan ローン 融資,
    donation 寄付, donor 寄付者, accounting 会計 経理, supplier 仕入れ先, warehouse 倉庫, carrier 配送業者 運送会社, tracking 追跡番号, return 返品,
    warranty 保証, complaint 苦情 クレーム, support サポート, caller 発信者, queue キュー 待ち行列, overtime 残業, absence 欠席, vacancy 求人票,
    interview 面接, applicant 応募人, resume 履歴書, manager マネージャー 上司, colleague 同僚, intern インターン, training 研修, exam 試験, teacher
    先生方, parent 保護者 親, attendance 出席 出欠, university 大学, library 図書館, author 著者 作者, publisher 出版社, verse 聖句, poem 詩, quote
    名言, player 選手, coach 監督 コーチ, goal ゴール, scorer 得点王 得点者, league リーグ, standings 順位 順位表, injury けが 負傷, lineup スタメン 先発,
    referee 審判, stadium スタジアム, odds オッズ, prediction 予想, movie 映画, show 番組, episode エピソード 回, podcast ポッドキャスト, concert コンサート
    ライブ, theater 劇場, museum 美術館 博物館, lyrics 歌詞, voice 声, sound 音, subtitle 字幕, thumbnail サムネイル, background 背景, avatar アバター
    アイコン画像, icon アイコン, font フォント, design デザイン, layer レイヤー, frame フレーム, sticker ステッカー 付箋, shape 図形, drawing 図面 絵, diagram 図,
    slide スライド, presentation プレゼン 発表, paragraph 段落, heading 見出し, footer フッター, spelling スペル 綴り, sentence 文, abstract 要旨,
    paper 論文, source 出典, reference 参考, topic 話題 トピック, entity エンティティ, sentiment 感情, spam 迷惑メール, filter フィルター, rule ルール,
    policy 方針 ポリシー, condition 条件, trigger トリガー, automation 自動化, webhook ウェブフック, session セッション, token トークン, login ログイン, admin
    管理者, visitor 訪問者 来場者, traffic 渋滞 アクセス数, click クリック, conversion コンバージョン, trend 傾向 トレンド, ranking ランキング, competitor 競合,
    investor 投資家, investment 投資, fund ファンド, headcount 従業員数, industry 業界, founder 創業者, neighborhood 近所, building 建物 ビル, floor
    階, parking 駐車場, garden 庭, roof 屋根, leak 水漏れ, heating 暖房, equipment 機材 設備, machine 機械, printer プリンター, laptop ノートパソコン,
    camera カメラ, door ドア, window 窓 ウィンドウ, battery バッテリー 電池, power 電源 電力, fuel 燃料, fleet 車両管理, truck トラック, boat 船, station 駅,
    airport 空港, passenger 乗客, passport パスポート, seat 席 座席, trip 旅行, breakfast 朝食, lunch ランチ 昼食, dinner 夕食 ディナー, food 食べ物,
    drink 飲み物, wine ワイン, ingredient 材料, grocery 食料品, medicine 薬, prescription 処方箋, hospital 病院, nurse 看護師, diagnosis 診断,
    symptom 症状, allergy アレルギー, blood 血液, weight 体重 重さ, height 高さ 身長, sleep 睡眠, exercise 運動, swimming 水泳 スイミング, animal 動物
    ペット, plant 植物, tree 木, water 水, air 空気, earthquake 地震, planet 惑星, asteroid 小惑星, satellite 衛星, law 法律, court 裁判所, lawyer
    弁護士, lawsuit 訴訟, witness 証人, notary 公証, signer 署名者, clause 条項, consent 同意, member 会員, club クラブ, volunteer ボランティア, church
    教会, party パーティー, speaker 登壇者 講演者, booth ブース, fair 展示会 見本市, webinar ウェビナー, agenda 議題 アジェンダ, poll 投票, vote 票, idea アイデア,
    decision 決定, mistake 間違い ミス, crash クラッシュ, performance 性能, uptime 稼働率, certificate 証明書, network ネットワーク, cloud クラウド,
    container コンテナ, function 関数, feature 機能, package パッケージ, schema スキーマ, index 索引 インデックス, collection コレクション, catalog カタログ,
    gallery ギャラリー, bookmark ブックマーク お気に入り, tab タブ, banner バナー, headline ヘッドライン, press 報道 プレス, hashtag ハッシュタグ, emoji 絵文字,
    gift_card ギフトカード, loyalty ポイント, variant バリエーション, barcode バーコード, quantity 数量, unit 単位, total 合計額, average 平均, wallet 財布
    ウォレット, crypto 仮想通貨 暗号資産, coin コイン, gold 金, coordinates 座標, neighbour 隣人, boss 社長, office オフィス 事務所, desk デスク 机, headache
    頭痛, name 氏名 名字, age 年齢, gender 性別, nationality 国籍, beginning 最初 始め, end 最後 終わり, current 現在, late 遅い 遅れ, wrong 間違った,
    missing 足りない, duplicate 重複, empty 空, public 公開の, private 非公開 個人用, active 有効な アクティブ, expired 期限切れ, failed 失敗, pending 保留中
    未処理, urgent 緊急 急ぎ, important 重要, cheap 安い, expensive 高い, nearby 近く, available 利用可能, red 赤, blue 青, green 緑, black 黒,
    white 白, dark 暗い ダーク,
    four 四つ, five 五つ, six 六つ, seven 七つ, eight 八つ, nine 九つ, hundred 百, thousand 千, second 秒, hour 時, day 日間, deal ディール,
    update アップデート, mailing_list メーリングリスト, copy 写しに, group_chat グループチャット, video_call ビデオ通話, microphone マイク, mute ミュート中, slot
    空き枠, waiting_list キャンセル待ち, deposit 手付金 敷金, installment 分割払い, bill 公共料金, vat 消費税, tax_return 確定申告, petty_cash レジ,
    allowance 手当, mileage 走行距離 交通費, reimbursement 精算 立替, timesheet 勤務表 タイムシート, payslip 給与明細書, wage 賃金 時給, sick_leave 病欠
    体調不良, cleaner 清掃員, plumber 水道屋, electrician 電気屋, painter 塗装屋, mechanic 整備士, construction 工事, offer セール 特売, shelf 棚,
    delivery_note 納品書, sample サンプル, size サイズ, clothes 服, shoe 靴, phone_number 番号案内, meter_reading 検針, electricity 電力会社,
    temperature 度数, heater ストーブ, air_conditioning エアコン, vacuum 掃除機, living_room リビング, bedroom 寝室, bathroom 浴室, basement 地下,
    hallway 玄関 廊下, harbour 港, street 通り 道路, village 村, holiday_home 民泊, guest 宿泊客, event 行事, competition 大会, choir 合唱 練習,
    band バンド, baptism 洗礼式, funeral 葬式 法事, anniversary 記念日, mother お母さん ママ, father お父さん パパ, grandmother おばあちゃん, grandfather
    おじいちゃん, son 息子, daughter 娘, brother 兄 弟, sister 姉 妹, aunt おば, uncle おじ, man 男性, woman 女性, girl 女の子, boy 男の子, baby 赤ちゃん,
    vaccination ワクチン 予防接種, vet 獣医, cow 牛, horse 馬, chicken 鶏, egg 卵, milk 牛乳, bread パン, cheese チーズ, bakery パン屋, soap 石鹸,
    candle ろうそく, flower 花束, cup マグ カップ, bicycle 自転車, motorcycle バイク, taxi タクシー, step 歩数, run 走った ランニング, blood_pressure 血圧,
    lock ロック中, alarm アラーム 目覚まし, fire 火事, drone ドローン, irrigation 水やり, field 畑, hay 干し草, note 覚え書き, voucher クーポン券,
    subscription サブスク, user 利用者様, error エラー表示, build ビルド結果, release リリース版, on_call オンコール, on_leave 休暇中, handover 引き継ぎ,
    inspection 点検, defect 欠陥, maintenance 保守 メンテナンス, spare_part 部品, screw ネジ, tool ドリル, neighborhood 町内会, hearing 公判, claim
    保険金請求, insurer 保険会社, tenant 借り手, landlord 大家さん, viewing 内見, mortgage 住宅ローン, chord コード譜, poster ポスター, flyer チラシ,
    print_shop 印刷所, story ストーリーズ, like いいね数, follower フォロワー数, review 口コミ評価, star 星, table 卓, waiter 店員, dish 料理名, schedule
    時間割 時刻表, kindergarten 保育園 幼稚園, babysitter シッター, parents_evening 保護者会, microchip チップ, customs 税関, container 貨物コンテナ,
    pallet パレット, stocktaking 棚卸, best_before 賞味期限,
    ready できた 準備, correct 正しい 合って, valid 有効か, cheque 小切手, direct_debit 引き落とし, nut ナッツ, calorie カロリー, move 引っ越し, tender 入札,
    strike ストライキ, elevator エレベータ, drain 排水, dishwasher 食洗機, forklift フォークリフト, oil オイル, spare 予備, leaflet パンフレット, subpage
    下層ページ, deadline 締め日, archive 記録保管, note ノート類, representative 代表者, utilization 稼働, memory メモリ, duplicate ダブり, husband 夫,
    wife 奥さん, person 人たち, thing こと もの, piece 個, place ところ, way 方法, size 小さい 大きい, long 長い, short 短い, big 大きな, small 小さな, good
    良い, bad 悪い, better より良い, main 主な, real 本当の, automatic 自動, final 完全に, english 英語, german ドイツ語, french フランス語, spanish
    スペイン語, italian イタリア語, polish ポーランド語, switzerland スイス, cover 表紙, air_quality 空気質, weather 天気予報, warning 警告表示, robot ロボット,
    scraper クローラー, section セクション, column 列名, unit_test テスト結果, lead 見込み, quote 見積もり書`,
};

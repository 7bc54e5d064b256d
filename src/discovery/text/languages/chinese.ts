/** Chinese verbs and nouns of requests, simplified and, where they differ, traditional; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const chinese: LanguageData = {
  functions: `
    of 的 之, in 在 里 里面 中 上 內 裡, to 到 给 給 向 往, for 为 為 替, with 跟 和我 用, and 和 与 以及 并 并且 还有 與, or 或 或者, then 然后 接着 之后 再 然後, my 我的,
    our 我们的 咱们 我们, this 这个 这 这份 这条 这些 這個 這 这封 这张 这篇, that 那个 那 那些, all 所有 全部 一切 都, me 我, is 是 有, not 不 没 没有 不要 别, about
    关于 有关, what 什么 哪些 哪个 什麼, who 谁 誰, when 什么时候, how 怎么 如何, where 哪里 哪儿, please 请 麻烦 請 帮我 帮忙 帮 幫我 一下 吧 吗 呢 了 把 将 將 被 要 想 想要 需要
    能 可以 能不能 我想 我要 给我 一 一个 一份 一封 一条 一张 个 份 封 条 张 篇 次 個 也 就, how_many 多少 几个 有多少, from 从 從, by 由, only 只, more 更,
    still 还, already 已经, always 总是, something 什么东西, somebody 有人, everyone 大家, nobody 没有人, nothing 什么都没, why 为什么, because 因为,
    but 但是 不过, before 之前, after 以后, during 期间, against 针对, under 下面, above 上面, below 下边, outside 外面, back 回来, away 走, down
    往下, up 往上, very 很 非常, too 太, less 更少, enough 足够, almost 快要 几乎, soon 马上 很快, immediately 立刻 立即, quickly 快点, maybe 也许 可能,
    about 大概 左右, together 一起, first 首先 第一, second 第二, third 第三, once 一次, again 再次 又, same 同样 同一个, other 其他 另外, every 每, many
    很多 许多, some 一些, both 两者, whole 整个, most 大多数, thanks 谢谢, hello 你好, ok 好的, yes 是的, should 应该, had 曾, done 做了 弄好, now 现在,
    later 稍后 待会, ago 前段时间, until_now 到现在, instead 而不是, just 刚刚 刚, there 那里, here 这里, they 他们`,
  verbs: `
    create 创建 新建 建立 创立 生成 制作 建 做 開立 建个 創建 開 写一份, add 添加 加 加上 增加 加入 放进 加到 新增 插入, delete 删除 删掉 刪除 删 清掉, remove 移除 去掉 移走
    踢出 拿掉, update 更新 修改 编辑 改 改成 改为 調整 调整 修正 編輯, change 更改 变更 换成, rename 重命名 改名 改名为 更名, set 设置 设定 设为 設定 定为, send 发送 发 发给 寄
    发出 发一 发个 發送 發 传给, reply 回复 回覆 答复, forward 转发 轉發, show 显示 展示 看看 看 查看 给我看 看一下 顯示, get 获取 取得 得到 查 查询 拿 告诉我 獲取 查詢 调取 了解 知道, list
    列出 列 罗列 有哪些, search 搜索 搜寻 搜 查找 搜一下 搜尋, find 找到 找出 找 寻找 找一下, open 打开, read 读取 读 阅读 朗读, download 下载 下載, upload 上传 上傳, export 导出
    匯出, import 导入 匯入, move 移动 移到 挪到 移 转到 移動, copy 复制 拷贝 複製, duplicate 复制一份 副本, share 分享 共享, invite 邀请 邀請, assign 分配 指派 分给 交给 指定,
    close 关闭 關閉, complete 完成 做完 结束, mark 标记 标为 標記, cancel 取消, archive 归档 存档 歸檔, restore 恢复 还原 恢復, publish 发布 发表 發布, post 发帖 贴出, schedule
    安排 预定时间 排程 定在, reschedule 推迟 延期 改期 改到 推遲, start 启动 开始 開始 啟動, stop 停止 停掉 停, pause 暂停 暫停, resume 继续 恢复运行, run 运行 执行 跑 執行, enable 启用 打开功能
    开启 啟用, disable 禁用 停用 关掉 关闭功能, approve 批准 审批 通过, reject 拒绝 驳回, accept 接受, merge 合并 合併, lock 锁定, unlock 解锁, subscribe 订阅 訂閱, unsubscribe
    退订 取消订阅, follow 关注 关注一下, unfollow 取消关注, like 点赞 赞, pay 支付 付款 付 付给, charge 收费 扣款, refund 退款 退钱 退還, buy 买 购买 購買, order 下单 订购, book 预订 预约 订
    預訂, check 检查 核对 看有没有 檢查, verify 验证 校验 驗證, count 统计 数一下 计数, calculate 计算 算 算出 算一下 計算, convert 转换 换算 转成 轉換, translate 翻译 翻成 翻譯, summarize
    总结 概括 摘要一下 總結, compare 比较 对比, analyze 分析, write 写 撰写 寫, save 保存 存 储存 儲存, attach 附加 附上, block 屏蔽 拉黑, notify 通知 告诉 提示, remind 提醒, connect
    连接 接入 連接, disconnect 断开, sync 同步, track 跟踪 追踪, record 记录 登记 记下 记一下 記錄, call 打电话 呼叫 致电, ask 问 询问, sign 签署 签字 签, print 打印, play 播放 放, mute 静音,
    pin 置顶, sort 排序, filter 筛选 过滤, replace 替换, clear 清空 清除, leave 退出 离开, join 加入群, deploy 部署 上线, build 构建, test 测试, scan 扫描, extract 提取 抽取, scrape 抓取
    抓下来 爬取, transcribe 转写 转成文字, draw 画 绘制, resize 缩放 调整大小, compress 压缩, submit 提交, describe 描述, explain 解释, tag 打标签, comment 评论一下, review 审查 审阅, link
    关联 链接到, hide 隐藏, reset 重置, retry 重试, split 拆分, transfer 转账 转移 轉帳, suspend 暂停使用, revoke 撤销 吊销, grant 授予, crop 裁剪, predict 预测, solve 求解, browse
    浏览, visit 访问, evaluate 求值, multiply 乘以 相乘 乘, divide 除以, round 四舍五入,
    win 赢了 夺冠, lose 输了, sell 卖 卖掉, forget 忘记, fix 修好 修理, rent 出租, hire 录用, delete 丢掉 扔掉 勾掉, finish 弄完, reset 重来,
    pull 拉, bring 带来, come 来, go 去, stay 剩下 还剩, owe 欠, earn 赚, cost 花费, consume 消耗, hit 击中, grow 增长, increase 提高, reduce 减少
    降低, improve 改进, leave 留下, hold 保持, keep 保留, sign_in 登入, sign_out 登出 退出登录, register 注册, clock_in 打卡, clock_out 下班打卡,
    withdraw 撤回 提款, promote 晋升 提升, fire 解雇, recommend 推荐, suggest 建议, discuss 讨论, speak 说话, report 举报, measure 测量, weigh 称重,
    cook 做饭, eat 吃, clean 清理 打扫, deliver 交付, arrive 到达, pack 打包, lose 丢失, break 坏了, solve 解决, wait 等待, watch 观看, listen 听,
    learn 学习, teach 教, ban 封禁, hang_up 挂断, charge 充电, restart 重启, roll_back 回滚, migrate 迁移, index 建立索引, detect 检测 识别, match
    匹配,
    nudge 催一下, forward 转给, call_back 回电, pick_up 取货 接, drop_off 送到, lend 借给, borrow 借, exchange 换货, return 退, pay 付了, sell
    卖光, confirm 确认, decline 婉拒, postpone 延后, bring_forward 提前, shorten 缩短, extend 延长, renew 续订 续费, expire 到期, swap 调换 换班,
    cover 替班 顶班, thank 感谢, apologize 道歉, congratulate 祝贺, stick 粘贴, cut 剪, tidy 整理, open 打开了, set 调到, lower 调低, raise 调高,
    wake 叫醒, see 看到, think 考虑, happen 发生, fall 掉, rise 上涨, miss 错过, wear 穿, swipe 滑动, pack 归类,
    retweet 转推, clone 克隆, unsubscribe 取关, sign_up 报上名, take_over 接手, sign 签了, get 收到, change 改了, write 写了, say 说了, exist 存在,
    mean 意思是, use 使用 用的, forget 忘了, freeze 冻结, escalate 升级处理, travel 出差, breed 繁殖, rain 下雨, freeze_over 霜冻`,
  nouns: `
    email 邮件 电子邮件 電郵 郵件 邮箱, inbox 收件箱, message 消息 信息 訊息, channel 频道 頻道, conversation 对话 会话, chat 聊天, thread 话题串 讨论串, reply 回信, draft 草稿, attachment
    附件, label 标签 標籤, folder 文件夹 目录 資料夾, file 文件 檔案, document 文档 文檔, page 页面 页, note 笔记 便签 备忘 筆記, notebook 笔记本, task 任务 待办 待办事项 任務 事项, subtask 子任务, list
    列表 清单 名单, project 项目 專案, board 看板, card 卡片, column 列 栏, checklist 检查表 核对清单, comment 评论 留言 評論, reaction 表情回应, issue 问题 议题 問題, ticket 工单, bug 缺陷 漏洞,
    repository 仓库 代码库 倉庫, branch 分支, commit 提交记录, pull_request 拉取请求 合并请求, release 发行版 版本发布, code 代码 程式碼, workflow 工作流 流程, deployment 部署记录, environment 环境
    環境, variable 变量, secret 密钥, key 键 钥匙, event 事件 活动 活動, calendar 日历 日程 行事曆 日曆, meeting 会议 开会 會議, appointment 约会 预约单, reminder 提醒事项, invitation 邀请函, attendee
    参会者 与会者 参与者 参会人, availability 空闲时间 空档 有空, schedule 日程表 排班 时间表, contact 联系人 聯絡人, customer 客户 顾客 客戶, company 公司 企业, organization 组织 机构, lead 线索 潜在客户,
    deal 交易机会 商机, quote 报价 报价单, order 订单 訂單, cart 购物车, product 产品 商品 產品, item 条目 物品, price 价格 價格, discount 折扣, coupon 优惠券, inventory 库存 庫存, shipment 货运 运单
    发货, package 包裹 快递, address 地址, store 商店 店铺, invoice 发票 账单 發票 帳單, payment 付款记录 款项, refund 退款单, subscription 订阅服务 会员, plan 套餐 计划, balance 余额 餘額, account
    账户 账号 帐户 帳戶, transaction 交易, transfer 转账记录 汇款, receipt 收据, expense 支出 费用 开支 报销, budget 预算, tax 税, credit 信用额度, dispute 争议, vendor 供应商, employee 员工 職員, candidate
    候选人, job 职位 工作 岗位, application 申请, vacation 休假 年假 假期, leave 请假, payroll 工资单, salary 工资 薪水, shift 班次, team 团队 团隊, member 成员 成員, user 用户 使用者 用戶, group 群组 小组 群,
    role 角色, permission 权限, access 访问权限, password 密码 密碼, profile 个人资料 资料, photo 照片, image 图片 图像 圖片, video 视频 影片, audio 音频, song 歌曲 歌, playlist 播放列表 歌单, album 专辑,
    artist 歌手 艺人, recording 录音 录像, transcript 文字记录 逐字稿, translation 译文, language 语言 語言, text 文本 文字, summary 摘要 概要 总结报告, report 报告 报表 報告, chart 图表, dashboard 仪表盘,
    statistics 统计数据 数据统计, metric 指标, analysis 分析结果, spreadsheet 电子表格 表格, sheet 工作表, row 行, cell 单元格, table 表, database 数据库 資料庫, record 条记录, field 字段, value 值, query 查询语句,
    form 表单, survey 问卷 调查, response 答复内容, question 提问, template 模板, campaign 营销活动 广告系列 推广, audience 受众, segment 细分, subscriber 订阅者, newsletter 简报 通讯, post 帖子 貼文 推文,
    article 文章, story 故事, follower 粉丝 关注者, website 网站, webpage 网页, domain 域名, link 链接 连结, result 结果, news 新闻 新聞, weather 天气 天氣, forecast 预报 預報, temperature 气温 温度, map 地图,
    location 位置 地点, city 城市, country 国家, route 路线, distance 距离, flight 航班 机票, hotel 酒店 旅馆, reservation 预订单, ride 行程, restaurant 餐厅 餐馆, menu 菜单, review 评价 点评, rating 评分, stock
    股票 股价, currency 货币 币种, exchange_rate 汇率, number 数字 号码, sum 总和, percentage 百分比, date 日期, time 时间 時間, timezone 时区, duration 时长, day 天 日, week 周 星期, month 月, year 年, today
    今天, tomorrow 明天, yesterday 昨天, hour 小时, timer 计时器, log 日志, error 错误 錯誤, alert 警报 告警, incident 事故 故障, status 状态 狀態, server 服务器, backup 备份, space 空间, storage 存储空间, device
    设备, light 灯, phone 电话 手机 電話, call 通话, voicemail 语音信箱, sms 短信 簡訊, notification 通知消息, settings 配置 设置项, version 版本, history 历史 历史记录, change 改动, name 名称 名字, title 标题, description
    说明, category 类别 分类, priority 优先级, deadline 截止日期 期限, owner 负责人 所有者, stage 阶段, goal 目标, milestone 里程碑, workspace 工作区, drive 云盘 网盘, signature 签名, contract 合同, envelope 信封,
    student 学生, course 课程, class 班级, grade 成绩, assignment 作业, lesson 课, recipe 食谱 菜谱, book 书 书籍, chapter 章节, definition 定义, word 词 单词, game 游戏 比赛, patient 病人 患者, property 房产,
    house 房子, car 汽车 车, vehicle 车辆, driver 司机, delivery 配送 送货, new 新 新的, last 最近 最后 最新 上次, next 下一个 下次, unread 未读, old 旧的, person 人, activity 动态, request 请求, data 数据,
    tool 工具, ad 广告, view 视图, keyword 关键词 关键字, purchase 采购, sale 销售 销量, color 颜色, command 命令, screenshot 截图 屏幕截图, browser 浏览器, memory 记忆, math 数学, content 内容, link 网址, pipeline 流水线,
    money 现金, room 房间 号房, kitchen 厨房, rent 房租 租金, insurance 保险, doctor 医生 大夫, dentist 牙医, pharmacy 药店, child 孩子 小孩,
    wedding 婚礼, birthday 生日, friend 朋友, family 家人 家庭, school 学校, trash 回收站 垃圾桶, weekend 周末, gift 礼物, apartment 公寓, fee
    手续费, tenant 租客, minute 分钟, paper 论文, sound 声音, tag 标签页, screen 屏幕, elevator 电梯, podcast 播客, hire 招聘 入职, article 稿子,
    monday 周一 星期一, tuesday 周二 星期二, wednesday 周三 星期三, thursday 周四 星期四, friday 周五 星期五, saturday 周六 星期六, sunday 周日 星期天 星期日,
    january 一月, february 二月, march 三月, april 四月, june 六月, july 七月, august 八月, september 九月, october 十月, november 十一月,
    december 十二月, morning 早上 上午 早晨, noon 中午, afternoon 下午, evening 晚上 今晚, night 夜里 昨晚 夜间, two 两个, three 三个, ten 十个, euro 欧元,
    dollar 美元 美金, quarter 季度, season 赛季 季节, summer 夏天, winter 冬天, spring 春天, autumn 秋天, holiday 节日, christmas 圣诞, easter
    复活节, participant 参加者, department 部门, recipient 收件人, sender 发件人 寄件人, feedback 反馈, estimate 估算 估价, preview 预览, skill 技能,
    score 比分 得分 分数, brand 品牌, retention 保留期, album 相册, dictionary 词典, risk 风险, target 指标目标, privacy 隐私, payout 打款 提现, quota
    配额, limit 限额 上限, partner 合作伙伴, bank 银行, quiz 测验, enrollment 报名 选课, market 市场, license 许可证 执照, letter 信件 信, postcard 明信片,
    logo 标志, evidence 证据, income 收入, revenue 营收 营业额, profit 利润, loss 亏损, cost 成本, debt 债务 欠款, amount 金额, iban 银行账号, loan 贷款,
    donation 捐款, donor 捐赠者, accounting 会计 记账, carrier 快递公司 承运商, tracking 物流, return 退货, warranty 保修, complaint 投诉, support
    客服 支持, caller 来电者, queue 队列, overtime 加班, absence 缺勤, vacancy 空缺, interview 面试, applicant 申请人 应聘者, resume 简历, manager 经理
    上司, colleague 同事, intern 实习生, training 培训, exam 考试, teacher 老师 教师, parent 家长, attendance 出勤 考勤, university 大学, library
    图书馆, author 作者, publisher 出版社, verse 经文, poem 诗, quote 名言, player 球员, coach 教练, goal 进球, scorer 射手, league 联赛, standings
    积分榜 排名, injury 受伤 伤病, lineup 首发 阵容, referee 裁判, stadium 球场, odds 赔率, movie 电影, show 节目 剧, episode 一集 剧集, concert 演唱会
    音乐会, theater 剧院, museum 博物馆, lyrics 歌词, voice 语音, sound 音效, subtitle 字幕, thumbnail 缩略图, background 背景, avatar 头像, icon
    图标, font 字体, design 设计, layer 图层, frame 框架 画框, sticker 贴纸, shape 形状, drawing 图纸, slide 幻灯片, presentation 演示文稿 演讲,
    paragraph 段落, heading 标题行, footer 页脚, spelling 拼写, sentence 句子, source 来源, reference 参考文献, topic 主题 话题, entity 实体,
    sentiment 情绪 语气, spam 垃圾邮件, filter 过滤器, rule 规则, policy 政策 策略, condition 条件, trigger 触发器, automation 自动化, webhook 回调,
    integration 集成, token 令牌, login 登录, admin 管理员, visitor 访客, traffic 流量 交通, click 点击, conversion 转化, trend 趋势, competitor
    竞争对手, investor 投资人 投资者, investment 投资, fund 基金, headcount 员工人数, industry 行业, founder 创始人, neighborhood 社区, building 大楼
    建筑, floor 楼层, parking 停车场 停车位, garden 花园, roof 屋顶, leak 漏水, heating 暖气, repair 维修, machine 机器, printer 打印机, laptop
    笔记本电脑, camera 摄像头 相机, door 门, window 窗户 窗口, battery 电池 电量, power 电源, fuel 燃料 汽油, fleet 车队, truck 卡车, boat 船, station 车站,
    airport 机场, passenger 乘客, passport 护照, seat 座位, trip 旅行, luggage 行李, breakfast 早餐, lunch 午餐, dinner 晚餐, food 食物, drink
    饮料, wine 葡萄酒, ingredient 食材 配料, grocery 杂货, medicine 药 药品, prescription 处方, hospital 医院, nurse 护士, diagnosis 诊断, symptom
    症状, allergy 过敏, blood 血, weight 重量 体重, height 高度 身高, sleep 睡眠, exercise 锻炼 运动, swimming 游泳, animal 动物 宠物, plant 植物, tree
    树, water 水, air 空气, earthquake 地震, planet 行星, asteroid 小行星, satellite 卫星, law 法律, court 法院, lawyer 律师, lawsuit 诉讼,
    witness 证人, notary 公证, signer 签署人, clause 条款, consent 同意, club 俱乐部, volunteer 志愿者, church 教会 教堂, party 派对 聚会, speaker
    演讲者 嘉宾, booth 展位, fair 展会, webinar 网络研讨会, agenda 议程, poll 投票, vote 选票, idea 想法 点子, decision 决定, outage 宕机, crash 崩溃,
    performance 性能 表现, uptime 可用率, certificate 证书, network 网络, cloud 云端, container 容器, function 函数, feature 功能, package 软件包,
    schema 模式 表结构, index 索引, collection 收藏 集合, catalog 商品目录, gallery 图库 画廊, bookmark 书签, button 按钮, banner 横幅, headline 头条,
    press 新闻界 媒体, hashtag 话题标签, emoji 表情, gift_card 礼品卡, loyalty 积分 会员积分, variant 规格 款式, barcode 条形码, quantity 数量, unit 单位,
    total 总额 总计, average 平均, percent 百分之, wallet 钱包, crypto 加密货币, coin 硬币 代币, gold 黄金, coordinates 坐标, neighbour 邻居, boss
    老板, office 办公室, desk 工位, headache 头疼, name 姓名, age 年龄, gender 性别, nationality 国籍, beginning 开头, end 结尾, current 当前 目前,
    late 迟到 逾期, wrong 错的 错误的, missing 缺失 缺少, duplicate 重复, empty 空的, public 公开 公共, private 私人 私密, active 活跃 有效的, expired 过期,
    failed 失败, pending 待处理, urgent 紧急, important 重要, cheap 便宜, expensive 贵, nearby 附近, available 可用, red 红色, blue 蓝色, green
    绿色, black 黑色, white 白色, dark 深色,
    four 四个, five 五个, six 六个, seven 七个, eight 八个, nine 九个, hundred 一百, thousand 一千, second 秒钟, hour 点钟, deal 成交, pipeline
    销售漏斗, board 白板, update 更新情况, newsletter 新闻邮件, mailing_list 邮件列表, copy 抄送, subject 邮件主题, minutes 会议纪要, group_chat 群聊,
    video_call 视频会议, microphone 麦克风, waiting_list 候补名单, deposit 定金 押金, installment 分期, bill 电费单, vat 增值税, tax_return 报税,
    petty_cash 收银, allowance 补贴 津贴, mileage 里程, timesheet 工时表 工时, payslip 工资条, wage 工钱, sick_leave 病假, cleaner 保洁, plumber
    水管工, electrician 电工, painter 油漆工, mechanic 修理工, construction 施工, offer 优惠 促销, shop 门店, shelf 货架, delivery_note 送货单,
    sample 样品, size 尺寸 码数, clothes 衣服, shoe 鞋, phone_number 电话号码 手机号, meter_reading 抄表 读数, electricity 用电, temperature 度,
    heater 取暖器, air_conditioning 空调, vacuum 吸尘器, living_room 客厅, bedroom 卧室, bathroom 卫生间 浴室, basement 地下室, hallway 走廊 玄关,
    harbour 港口, street 街道 路, village 村, holiday_home 民宿, guest 客人 房客, competition 竞赛, choir 合唱团, band 乐队, baptism 洗礼,
    funeral 葬礼, anniversary 周年, mother 妈妈, father 爸爸, grandmother 奶奶 外婆, grandfather 爷爷, son 儿子, daughter 女儿, brother 兄弟,
    sister 姐姐 妹妹, aunt 阿姨 姑妈, uncle 叔叔, man 男人, woman 女士, girl 女孩, boy 男孩, baby 宝宝, vaccination 疫苗, vet 兽医, cow 牛, horse 马,
    chicken 鸡, egg 鸡蛋, milk 牛奶, bread 面包, cheese 奶酪, bakery 面包店, soap 肥皂, candle 蜡烛, flower 花, cup 杯子, bicycle 自行车,
    motorcycle 摩托车, taxi 出租车, step 步数, run 跑步 跑了, blood_pressure 血压, lock 门锁, alarm 闹钟, fire 火灾, drone 无人机, irrigation 灌溉,
    field 田, hay 干草, note 便条, receipt 小票, voucher 代金券, error 报错, release 发布版本, on_call 值班, on_leave 休假中, handover 交接,
    maintenance 维护 保养, spare_part 备件, screw 螺丝, tool 电钻, neighborhood 业主, hearing 开庭, claim 理赔, insurer 保险公司, landlord 房东,
    viewing 看房, mortgage 房贷, chord 和弦, poster 海报, flyer 传单, print_shop 印刷厂, story 快拍, review 差评, star 星, table 桌位, waiter
    服务员, dish 菜品, schedule 时刻表 课表, test 月考, kindergarten 幼儿园, babysitter 保姆, parents_evening 家长会, microchip 芯片, customs 海关,
    container 集装箱, pallet 托盘, stocktaking 盘点, best_before 保质期,
    ready 准备好, correct 对不对 正确, valid 有效, tip 小费, cheque 支票, direct_debit 自动扣款, nut 坚果, calorie 卡路里, move 搬家, tender 招标,
    strike 罢工, drain 下水道, dishwasher 洗碗机, forklift 叉车, oil 机油, spare 备用, leaflet 宣传册, subpage 子页面, deadline 截止, archive 档案,
    representative 代表, utilization 使用率, memory 内存, duplicate 重复的, husband 丈夫, wife 妻子 老婆, person 人们, thing 东西, piece 块,
    place 地方, way 方式, size 小一点 大一点, long 长, short 短, big 大的, small 小的, good 好的东西, bad 坏的, better 更好, main 主要, own 自己的, real
    真的, automatic 自动, final 彻底 最终, english 英语 英文, german 德语 德文, french 法语, spanish 西班牙语, italian 意大利语, polish 波兰语,
    switzerland 瑞士, cover 封面, air_quality 空气质量, weather 天气预报, warning 警告, robot 机器人, scraper 爬虫, section 版块, unit_test 单元测试`,
};
